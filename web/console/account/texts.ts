import { localize } from '../language.ts';

export const ACCOUNT_WORDS = {
  language: 'Language',
  ofBrowser: 'As the browser',
  alerts: 'Alerts in this browser',
  sound: 'Play a sound for new messages and waiting conversations',
  notifications: 'Show notifications',
  keys: 'Single keys such as 1, / and r are shortcuts',
  notAllowed: 'The browser does not allow it for this address.',
  password: 'Password',
  current: 'Current password',
  next: 'New password',
  change: 'Change the password',
  otpBegin: 'Ask for one-time passwords',
  otpScan: 'Add this secret to your app, then write the number that it shows.',
  otpSecret: 'Secret of the one-time passwords',
  otpApp: 'Open the app on this device',
  confirm: 'Confirm',
  otpOn: 'From now on you sign in with a one-time password as well.',
  otpOff: 'From now on you sign in by password alone.',
  otpRemove: 'Remove one-time passwords',
};
localize('account', ACCOUNT_WORDS);
