/**
 * Minutes that the files of `npm run test:load` divide among themselves; 0 in every other run. Only
 * a load run asserts latencies: it needs a machine that does nothing else.
 */
export const LOAD_MINUTES = Number(process.env['PARLANCE_LOAD_MINUTES'] ?? 0);
