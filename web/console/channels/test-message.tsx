import type { Service } from '@parlance/client';
import { useState } from 'preact/hooks';
import { DeliveryMark } from '../inbox/delivery-mark.tsx';
import { TextField } from '../parts/fields.tsx';
import { ActionForm, useFields } from '../parts/form.tsx';
import { formatHref } from '../route.ts';
import { client } from '../session.ts';
import { channels as CHANNEL_WORDS } from './texts.ts';
import { TEXTS } from '../texts.ts';
import { useQuery } from '../use-query.ts';

const LOOK_MS = 1_000;

interface Sent {
  message: string;
  conversation: string;
}

/** Sends a message to an address, and shows its status. */
export function TestMessage({ channel }: { channel: Service }) {
  const words = CHANNEL_WORDS;
  const { values, bind } = useFields({ to: '' });
  const [sent, setSent] = useState<Sent>();
  const { type, touchpoint = '', inboundAddress } = channel;
  const isMailbox = type === 'email' && inboundAddress === undefined;
  const send = async () => {
    setSent(undefined);
    setSent(await sendTest(channel, values.to.trim()));
  };
  return (
    <>
      <ActionForm look="inline" word={words.test} submit={send} field="to">
        <TextField
          label={words.to}
          required
          autocomplete="off"
          placeholder={words.toHints[touchpoint] ?? words.toHint}
          {...bind('to')}
        />
      </ActionForm>
      <p class="hint">{isMailbox ? words.testMailHint : words.testHint}</p>
      {sent ? <Outcome key={sent.message} {...sent} /> : null}
    </>
  );
}

async function sendTest({ id, name, touchpoint, organization }: Service, to: string): Promise<Sent> {
  const contact =
    touchpoint === 'sms'
      ? { profile: { telephone: to } }
      : touchpoint === 'email'
        ? { profile: { email: to } }
        : { identity: { service: id, id: to } };
  const text = CHANNEL_WORDS.testText(name);
  const { id: conversation, messages } = await client.call('POST /conversations', {
    body: {
      type: 'contact',
      organization,
      contact,
      messages: [{ text, role: 'agent', isBackchannel: false, service: id }],
    },
  });
  return { conversation, message: messages.at(-1) ?? '' };
}

function Outcome({ message, conversation }: Sent) {
  const { value } = useQuery('GET /messages/{id}', { path: { id: message }, everyMs: LOOK_MS });
  return (
    <p role="status" class="test-outcome">
      {value?.delivery ? <DeliveryMark delivery={value.delivery} isLong /> : TEXTS.loading}{' '}
      <a href={formatHref('inbox', 'all', conversation)}>{CHANNEL_WORDS.openTest}</a>
    </p>
  );
}
