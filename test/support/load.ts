/**
 * The duration of `npm run test:load` in minutes, divided among its files; 0 in all other runs.
 * Other runs assert no latencies, because measuring a latency needs an otherwise idle machine.
 */
export const LOAD_MINUTES = Number(process.env['PARLANCE_LOAD_MINUTES'] ?? 0);
