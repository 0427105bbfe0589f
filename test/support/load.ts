/**
 * Minutes of `npm run test:load`, divided among its files; 0 in every other run. Only a load run
 * asserts latencies: it needs an otherwise idle machine.
 */
export const LOAD_MINUTES = Number(process.env['PARLANCE_LOAD_MINUTES'] ?? 0);
