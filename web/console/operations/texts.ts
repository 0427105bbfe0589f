import { localize } from '../language.ts';

export const OPERATION_WORDS = {
  what: 'Every conversation is a workflow. These lists open in the pages of Temporal.',
  unknown: 'Where the pages of Temporal are is not configured (TEMPORAL_UI_URL).',
};
localize('operations', OPERATION_WORDS);
