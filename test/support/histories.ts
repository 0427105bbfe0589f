import proto from '@temporalio/proto';

const { History } = proto.temporal.api.history.v1;

export type WorkflowHistory = ReturnType<typeof History.fromObject>;

/** Formats a workflow's history as readable JSON. */
export function formatHistory(history: object): string {
  const plain = History.toObject(History.fromObject(history), {
    longs: String,
    bytes: String,
    enums: String,
  });
  return JSON.stringify(plain, null, 2);
}

export function parseHistory(text: string): WorkflowHistory {
  return History.fromObject(JSON.parse(text));
}
