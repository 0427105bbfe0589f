import { storeMail } from '../../deliveries/mail/store-mail.ts';
import type { IncomingMail } from '../../deliveries/mail/store-mail.ts';
import { storeFileDeps } from '../files/upload.ts';
import type { Api } from '../request.ts';

export type MailApi = Pick<Api, 'config' | 'files' | 'log'>;

export function storeReceivedMail(api: MailApi, mail: IncomingMail): Promise<void> {
  return storeMail({ ...storeFileDeps(api), deliveryShards: api.config.deliveryShards }, mail);
}
