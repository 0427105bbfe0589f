import fc from 'fast-check';

/**
 * Gives every property the same cases in each run, so that a change never fails because of a case
 * that another change would have met. `FC_SEED` selects other cases. Loaded before each test file.
 */
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env['FC_SEED'] ?? 1988) });
