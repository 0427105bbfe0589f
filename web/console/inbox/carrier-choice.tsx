import type { AnswerTo } from '@parlance/client';
import { useEffect, useId, useRef } from 'preact/hooks';
import { translateError } from '../parts/refusals.ts';
import { useQuery } from '../use-query.ts';
import type { InboxConversation } from './conversation.ts';
import { nameTouchpoint, INBOX_WORDS } from './texts.ts';

type Carrier = AnswerTo<'GET /conversations/{id}/carriers'>[number];

const LOOK_MS = 15_000;
const WEB = 'web';

export interface CarrierChoice {
  /** Empty if the contact has no address on a channel. */
  carriers: readonly Carrier[];
  chosen: Carrier | undefined;
  choose: (service: string) => void;
  /** Fields of a reply that goes by the choice. */
  fields: { service?: string; touchpoint?: string };
  again: () => void;
}

interface Choice {
  value: string | undefined;
  set: (service: string) => void;
}

/** Offers the channels of a conversation. The default stays until the agent chooses another one. */
export function useCarriers(
  { id, updatedAt }: InboxConversation,
  failures: number,
  choice: Choice,
): CarrierChoice {
  const query = useQuery('GET /conversations/{id}/carriers', { path: { id }, everyMs: LOOK_MS });
  const { value = [], again } = query;
  const carriers = value.filter(({ isDefault, refusal }) => isDefault || refusal?.code !== 'no_address');
  // A message or a receipt may change the channel, or what bars it.
  const version = `${updatedAt} ${failures}`;
  const loaded = useRef(version);
  useEffect(() => {
    if (loaded.current !== version) again();
    loaded.current = version;
  }, [version]);
  const isChosen = ({ service, isDefault }: Carrier) =>
    choice.value === undefined ? isDefault : service === choice.value;
  const chosen = carriers.find(isChosen);
  const fields = chosen ? { service: chosen.service } : carriers.length > 0 ? { touchpoint: WEB } : {};
  return { carriers, chosen, choose: choice.set, fields, again };
}

/** Shows the channel of the reply. The agent can change it. */
export function CarrierField({ carriers, chosen, choose }: CarrierChoice) {
  const id = useId();
  const words = INBOX_WORDS;
  if (carriers.length === 0) return null;
  const problem = chosen && describeProblem(chosen);
  return (
    <p class="goes-by">
      <label for={id}>{words.goesBy}</label>{' '}
      <select
        id={id}
        value={chosen?.service ?? WEB}
        aria-describedby={problem === undefined ? undefined : `${id}-problem`}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        {carriers.map((carrier) => (
          <option key={carrier.service} value={carrier.service}>
            {describeCarrier(carrier, carriers)}
          </option>
        ))}
        <option value={WEB}>{nameTouchpoint(WEB)}</option>
      </select>{' '}
      {problem === undefined ? null : (
        <span class={chosen?.refusal ? 'wrong' : 'warned'} id={`${id}-problem`} role="status">
          {problem}
        </span>
      )}
    </p>
  );
}

/** Returns a text such as `SMS to +31612345678`, with the channel's name if there are several. */
function describeCarrier({ touchpoint, address, name, service }: Carrier, all: readonly Carrier[]): string {
  const way = INBOX_WORDS.goesTo(nameTouchpoint(touchpoint), address);
  const others = all.filter((one) => one.touchpoint === touchpoint && one.service !== service);
  return others.length > 0 ? `${way} (${name})` : way;
}

function describeProblem({ refusal, status }: Carrier): string | undefined {
  if (refusal) return INBOX_WORDS.failures[refusal.code] ?? translateError(refusal);
  return status === 'active' ? undefined : INBOX_WORDS.channelWaits;
}
