import { TEXTS } from '../components/texts.ts';
import type { ConnectionState } from '../components/types.ts';

/** Whether what is said arrives, in words; also what a screen reader hears of it. */
export function ConnectionNotice({ connection, waiting }: { connection: ConnectionState; waiting: number }) {
  return (
    <p class={`connection ${connection}`} role="status">
      {text(connection, waiting)}
    </p>
  );
}

function text(connection: ConnectionState, waiting: number): string {
  switch (connection) {
    case 'online':
      return TEXTS.connected;
    case 'connecting':
      return TEXTS.connecting;
    case 'gone':
      return TEXTS.gone;
    case 'offline':
      return waiting > 0 ? TEXTS.reconnectingToSend : TEXTS.reconnecting;
  }
}
