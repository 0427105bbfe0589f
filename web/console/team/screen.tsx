import type { ScreenProps } from '../screen.ts';
import { USERS } from '../records/kinds.ts';
import { RecordList, RecordPage } from '../records/records.tsx';
import { ApiKeys } from './api-keys.tsx';
import { UserOtpReset } from './otp.tsx';

const WITHIN = ['team'];

/** Users, with their API keys. */
export function TeamScreen({ place: [id], session }: ScreenProps) {
  return (
    <div class="page">
      {id === undefined ? (
        <RecordList kind={USERS} within={WITHIN} />
      ) : (
        <RecordPage key={id} kind={USERS} within={WITHIN} id={id}>
          {(user) => (
            <>
              <ApiKeys user={user.id} role={String(user['role'])} />
              {user.id === session.user ? null : <UserOtpReset user={user.id} />}
            </>
          )}
        </RecordPage>
      )}
    </div>
  );
}
