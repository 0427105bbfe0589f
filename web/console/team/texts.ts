import { localize } from '../language.ts';

export const TEAM_WORDS = {
  keys: 'API keys',
  keyName: 'Name of the new key',
  keyEnds: 'Expires',
  keyEnd: [
    { value: '', text: 'Never' },
    { value: '30', text: 'In 30 days' },
    { value: '90', text: 'In 90 days' },
    { value: '365', text: 'In a year' },
  ],
  keyEnded: (isOver: boolean) => (isOver ? 'expired' : 'expires'),
  createKey: 'Create key',
  newKey: 'New key',
  shownOnce: 'Copy it now: it is not shown again.',
  noKeys: 'No keys.',
  lastUsed: 'last used',
  neverUsed: 'never used',
  revoke: 'Revoke',
  revokeTitle: (name: string) => `Revoke the key “${name}”?`,
  revokeWhat: 'Requests with this key are refused at once.',
  link: 'Password link',
  linkWhat: 'A page on which the user chooses a password. It works once, for three days.',
  createLink: 'Create a link',
  mailLink: 'Send by mail',
  mailAgain: 'Send again',
  mailed: (email: string) => `Invitation sent to ${email}.`,
  mailWaiting: (email: string) =>
    `The mail to ${email} is not sent yet. It is tried again for a day. You can also hand over this link:`,
  mailFailed: (email: string, reason: string) =>
    `The mail to ${email} was not sent (${reason.replace(/\.$/, '')}). You can hand over this link:`,
  noMail: 'No mail can be sent. Hand over this link:',
  firstKey: 'First key',
  otp: 'One-time passwords',
  removeOtp: 'Remove one-time passwords',
  removeOtpWhat: 'This user then signs in by password alone.',
  otpRemoved: 'Removed.',
};
localize('team', TEAM_WORDS);
