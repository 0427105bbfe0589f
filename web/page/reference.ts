/** Global of the script `/docs/reference-….js`. */
declare const Scalar: {
  createApiReference: (
    at: string,
    configuration: object,
  ) => { updateConfiguration: (changed: object) => void };
};

/** The reference loads nothing from other hosts, sends no telemetry, and stores no token. */
const CONFIGURATION = {
  url: '/openapi.json',
  servers: [{ url: `${location.origin}/v2` }],
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  withDefaultFonts: false,
  telemetry: false,
  persistAuth: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  defaultOpenFirstTag: false,
  authentication: { preferredSecurityScheme: 'bearer' },
};

const reference = Scalar.createApiReference('#reference', CONFIGURATION);
const form = document.querySelector<HTMLFormElement>('#sign-in');
const status = document.querySelector('#signed-in');

interface TokenResponse {
  token?: string;
  scope?: string;
  message?: string;
}

async function signIn(fields: FormData): Promise<string> {
  const given = [...fields].filter(([, value]) => value !== '');
  const response = await fetch('/v2/auth/token', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(Object.fromEntries(given)),
  });
  const { token, scope = '', message = '' } = (await response.json()) as TokenResponse;
  if (token === undefined) return message;
  reference.updateConfiguration({
    ...CONFIGURATION,
    authentication: {
      preferredSecurityScheme: 'bearer',
      securitySchemes: { bearer: { token } },
    },
  });
  form?.reset();
  return `Signed in, with scope ${scope.split(' ').at(-1) ?? ''}. Requests of this page carry the token.`;
}

form?.addEventListener('submit', (event) => {
  event.preventDefault();
  signIn(new FormData(form)).then(
    (words) => status?.replaceChildren(words),
    () => status?.replaceChildren('The API does not answer.'),
  );
});

export {};
