import proto from '@temporalio/proto';

const { History } = proto.temporal.api.history.v1;

export type WorkflowHistory = ReturnType<typeof History.fromObject>;

/** A workflow's history as JSON that can be read and kept. */
export function formatHistory(history: object): string {
  const plain = History.toObject(History.fromObject(history), {
    longs: String,
    bytes: String,
    enums: String,
  });
  return JSON.stringify(plain, null, 2);
}

/** The history that `historyText` has written. */
export function parseHistory(text: string): WorkflowHistory {
  return History.fromObject(JSON.parse(text));
}
