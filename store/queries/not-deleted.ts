/**
 * What a filter says of conversations and messages that are not deleted: of those that are, only a
 * tombstone is left.
 */
export const NOT_DELETED = { deletedAt: { $exists: false } };
