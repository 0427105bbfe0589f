import { SignJWT, errors, jwtVerify } from 'jose';
import { DomainError } from '../../domain/errors.ts';
import { storeDate } from '../../store/cluster/clock.ts';

const GRANT_TYPES = ['access_token', 'refresh_token', 'api_key', 'password_link'] as const;
type GrantType = (typeof GRANT_TYPES)[number];

export const MAX_TOKEN_CHARACTERS = 8192;

/** Claims of a token (spec 3.1). Times are seconds since 1970. */
export interface Claims {
  _id: string;
  organization: string;
  /** Space-delimited, such as `guest agent bot`. */
  scope: string;
  grant_type: GrantType;
  jti: string;
  iat: number;
  /** Absent on API keys without an end. */
  exp?: number;
}

export interface Jwt {
  sign: (claims: Claims) => Promise<string>;
  verify: (token: string) => Promise<Claims>;
}

/** Uses HS256, and the store's clock for the expiry. */
export function createJwt(secret: string): Jwt {
  const key = new TextEncoder().encode(secret);
  return {
    sign: ({ ...claims }) => new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(key),
    async verify(token) {
      try {
        const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'], currentDate: storeDate() });
        if (!isClaims(payload)) throw invalidTokenError();
        return payload;
      } catch (error) {
        if (error instanceof errors.JWTExpired) throw new DomainError('token_expired', 'jwt expired');
        throw invalidTokenError();
      }
    },
  };
}

export function invalidTokenError(): DomainError {
  return new DomainError('unauthenticated', 'The token is not valid.');
}

function isClaims(payload: object): payload is Claims {
  const { _id, organization, scope, grant_type, jti, iat } = payload as Partial<Claims>;
  return (
    [_id, organization, scope, jti].every((claim) => typeof claim === 'string') &&
    typeof iat === 'number' &&
    GRANT_TYPES.some((grant) => grant === grant_type)
  );
}
