import { Picture } from '../components/picture.tsx';
import { CloseIcon } from '../components/icons.tsx';
import { TEXTS } from '../components/texts.ts';
import type { ChatState } from '../components/types.ts';
import type { Branding } from '../look.ts';
import { ConnectionNotice } from './connection-notice.tsx';
import type { Host } from './host.ts';
import { Options } from './options.tsx';

interface Props {
  look: Branding;
  state: ChatState;
  host: Host;
  print: () => void;
}

/** Who one talks with, whether what is said arrives, and what else one may wish. */
export function Header({ look: { title, logo, hours }, state, host, print }: Props) {
  return (
    <header>
      {logo === undefined ? null : <Picture class="logo" url={logo} alt="" missing={<></>} />}
      <div class="who">
        <h1>{title || TEXTS.conversation}</h1>
        {hours === undefined ? null : (
          <p class="hours">
            <span class="hidden">{TEXTS.hours}: </span>
            {hours}
          </p>
        )}
      </div>
      <ConnectionNotice connection={state.connection} waiting={state.outgoing.length} />
      <Options print={print} mayNotify={!host.isWidget} />
      {host.isWidget ? (
        <button
          type="button"
          class="plain"
          aria-label={TEXTS.widget.close}
          onClick={() => host.tell({ close: true })}
        >
          <CloseIcon />
        </button>
      ) : null}
    </header>
  );
}
