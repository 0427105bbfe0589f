import { ParlanceError } from '@parlance/client';
import type { Options } from '@parlance/client';
import { useState } from 'preact/hooks';
import { ConfirmButton, DialogButton } from '../parts/dialog.tsx';
import { SelectField, TextField } from '../parts/fields.tsx';
import { ActionForm, useFields } from '../parts/form.tsx';
import { Copyable } from '../parts/tabs.tsx';
import { client } from '../session.ts';
import { INGEST_WORDS } from './texts.ts';
import { useQuery } from '../use-query.ts';

const KINDS = ['standard-webhooks', 'github', 'stripe', 'shopify', 'slack'] as const;
const DECLARED = 'hmac';

interface DialogProps {
  eventtype: string;
}

/** Creates and ends the address of an event type (spec 8.9). */
export function IngestButton({ eventtype }: DialogProps) {
  return (
    <DialogButton word={INGEST_WORDS.title}>
      {(close) => <IngestDialog eventtype={eventtype} close={close} />}
    </DialogButton>
  );
}

function IngestDialog({ eventtype, close }: DialogProps & { close: () => void }) {
  const words = INGEST_WORDS;
  const path = { id: eventtype };
  const query = useQuery('GET /eventtypes/{id}/ingest', { path });
  const [url, setUrl] = useState<string>();
  const isAbsent = query.error instanceof ParlanceError && query.error.status === 404;
  const end = async () => {
    await client.call('DELETE /eventtypes/{id}/ingest', { path });
    close();
  };
  if (url !== undefined) {
    return (
      <>
        <p>{words.shownOnce}</p>
        <Copyable label={words.url} text={url} />
      </>
    );
  }
  return (
    <>
      <p>{query.value ? words.replaces : words.what}</p>
      {query.value && !isAbsent ? (
        <ConfirmButton word={words.end} act={end}>
          <p>{words.endWhat}</p>
        </ConfirmButton>
      ) : null}
      <IngestForm eventtype={eventtype} made={setUrl} />
    </>
  );
}

function IngestForm({ eventtype, made }: DialogProps & { made: (url: string) => void }) {
  const words = INGEST_WORDS;
  const { values, bind } = useFields({
    ...{ user: '', kind: '', secret: '', verifyToken: '' },
    ...{ header: '', algorithm: 'sha256', encoding: 'hex', prefix: '', content: '' },
    ...{ idHeader: '', timestampHeader: '', timestampPrefix: '' },
  });
  const bots = useQuery('GET /users', { query: { role: 'bot', select: 'name', limit: 1000 } }).value ?? [];
  const create = async () => {
    const body = buildBody(values);
    const { url = '' } = await client.call('POST /eventtypes/{id}/ingest', { path: { id: eventtype }, body });
    made(url);
  };
  const options = bots.map(({ id, name }) => ({ value: id, text: name }));
  const kinds = [
    { value: '', text: words.unsigned },
    ...KINDS.map((value) => ({ value, text: words.kinds[value] ?? value })),
    { value: DECLARED, text: words.declared },
  ];
  return (
    <ActionForm word={words.create} submit={create}>
      <SelectField label={words.bot} options={[{ value: '', text: '' }, ...options]} {...bind('user')} />
      <SelectField label={words.signature} options={kinds} {...bind('kind', 'signature')} />
      {values.kind === '' ? null : <TextField label={words.secret} required {...bind('secret')} />}
      {values.kind === DECLARED ? (
        <>
          <TextField label={words.header} required {...bind('header', 'signature.header')} />
          <SelectField
            label={words.algorithm}
            options={['sha256', 'sha512', 'sha1']}
            {...bind('algorithm', 'signature.algorithm')}
          />
          <SelectField
            label={words.encoding}
            options={['hex', 'base64']}
            {...bind('encoding', 'signature.encoding')}
          />
          <TextField label={words.prefix} {...bind('prefix', 'signature.prefix')} />
          <TextField
            label={words.content}
            hint={words.contentHint}
            {...bind('content', 'signature.content')}
          />
          <TextField label={words.idHeader} {...bind('idHeader', 'signature.idHeader')} />
          <TextField
            label={words.timestampHeader}
            {...bind('timestampHeader', 'signature.timestampHeader')}
          />
          <TextField
            label={words.timestampPrefix}
            {...bind('timestampPrefix', 'signature.timestampPrefix')}
          />
        </>
      ) : null}
      <TextField label={words.verifyToken} hint={words.verifyTokenHint} {...bind('verifyToken')} />
    </ActionForm>
  );
}

type IngestBody = Options<'POST /eventtypes/{id}/ingest'>['body'];

function buildBody({ user, kind, secret, verifyToken, ...declared }: Record<string, string>): IngestBody {
  const given = (fields: Record<string, string | undefined>) =>
    Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '' && value !== undefined));
  const signature = kind === DECLARED ? given(declared) : kind;
  const signed = kind === '' ? {} : { secret, signature };
  return { user, ...signed, ...given({ verifyToken }) } as IngestBody;
}
