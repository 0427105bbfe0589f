import type { Connection } from './types.ts';

/** Whether what is said arrives, in words; also what a screen reader hears of it. */
export function ConnectionNotice({ connection, waiting }: { connection: Connection; waiting: number }) {
  return (
    <p class={`connection ${connection}`} role="status">
      {text(connection, waiting)}
    </p>
  );
}

function text(connection: Connection, waiting: number): string {
  switch (connection) {
    case 'online':
      return 'Connected';
    case 'connecting':
      return 'Connecting…';
    case 'gone':
      return 'This conversation no longer exists';
    case 'offline':
      return waiting > 0 ? 'Reconnecting… your messages will be sent' : 'Reconnecting…';
  }
}
