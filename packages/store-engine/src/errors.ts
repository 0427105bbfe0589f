const CODES = {
  InternalError: 1,
  BadValue: 2,
  FailedToParse: 9,
  TypeMismatch: 14,
  Overflow: 15,
  InvalidLength: 16,
  IllegalOperation: 20,
  InvalidBSON: 22,
  NamespaceNotFound: 26,
  IndexNotFound: 27,
  PathNotViable: 28,
  ConflictingUpdateOperators: 40,
  CursorNotFound: 43,
  NamespaceExists: 48,
  MaxTimeMSExpired: 50,
  DollarPrefixedFieldName: 52,
  InvalidIdField: 53,
  EmptyFieldName: 56,
  CommandNotFound: 59,
  ImmutableField: 66,
  CannotCreateIndex: 67,
  InvalidOptions: 72,
  InvalidNamespace: 73,
  IndexOptionsConflict: 85,
  IndexKeySpecsConflict: 86,
  CannotIndexParallelArrays: 171,
  InvalidIndexSpecificationOption: 197,
  NotImplemented: 238,
  IndexBuildAborted: 276,
  DataCorruptionDetected: 281,
  QueryExceededMemoryLimitNoDiskUseAllowed: 292,
  BSONObjectTooLarge: 10334,
  DuplicateKey: 11000,
  InterruptedAtShutdown: 11600,
  OutOfDiskSpace: 14031,
  Location31250: 31250,
  Location31254: 31254,
  Location40353: 40353,
  Location40324: 40324,
  Location40414: 40414,
  Location40415: 40415,
  Location51091: 51091,
  Location51156: 51156,
} as const;

export type CodeName = keyof typeof CODES;

/** A refusal with MongoDB's code. The reply contains `extra`. */
export class StoreError extends Error {
  readonly codeName: CodeName;
  readonly code: number;
  readonly extra: Record<string, unknown>;

  constructor(codeName: CodeName, message: string, extra: Record<string, unknown> = {}) {
    super(message);
    this.codeName = codeName;
    this.code = CODES[codeName];
    this.extra = extra;
  }
}

/**
 * Returns NotImplemented (238): the engine never ignores an option that would change the result.
 */
export function notSupported(what: string): StoreError {
  return new StoreError('NotImplemented', `The fallback store does not support ${what}`);
}

export function badValue(message: string): StoreError {
  return new StoreError('BadValue', message);
}
