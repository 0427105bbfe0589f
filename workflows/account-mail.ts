import { proxyActivities } from '@temporalio/workflow';
import type { AccountMailKind, AccountMailResult } from '../domain/account-mail.ts';
import type { AccountMailInput, Activities } from './contract.ts';

type Sending = Pick<Activities, 'sendAccountMail'>;

const retried = {
  startToCloseTimeout: '150s',
  heartbeatTimeout: '10s',
  retry: { initialInterval: '1s', backoffCoefficient: 3, maximumInterval: '5m' },
} as const;

/** Repeats a mail until the mail server has taken or refused it, for a time. */
const SENDING: Readonly<Record<AccountMailKind, Sending>> = {
  invitation: proxyActivities<Sending>({
    ...retried,
    scheduleToCloseTimeout: '1 day',
    summary: 'sending an invitation',
  }),
  passwordReset: proxyActivities<Sending>({
    ...retried,
    scheduleToCloseTimeout: '1 hour',
    summary: 'sending a password link',
  }),
};

/** Sends a mail with a link for setting a password (spec 3.10). */
export async function accountMail(input: AccountMailInput): Promise<AccountMailResult> {
  return SENDING[input.kind].sendAccountMail(input);
}
