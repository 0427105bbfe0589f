interface Reference {
  updateConfiguration: (changed: object) => void;
}

/** Global of the script `/docs/reference-….js`. */
declare const Scalar: { createApiReference: (at: string, configuration: object) => Reference };

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

const list = document.querySelector<HTMLElement>('#operations');
const place = document.querySelector<HTMLElement>('#reference');
const loading = document.querySelector('#loading');
let configuration: object = CONFIGURATION;
let reference: Promise<Reference> | undefined;

/** Loads the program at the first call. It shows the operation that the address names. */
async function openReference(): Promise<Reference> {
  loading?.replaceChildren('The operation is loading…');
  const script = document.createElement('script');
  script.src = place?.dataset['program'] ?? '';
  await new Promise((loaded, failed) => {
    script.addEventListener('load', loaded);
    script.addEventListener('error', failed);
    document.head.append(script);
  });
  list?.remove();
  return Scalar.createApiReference('#reference', configuration);
}

function openOnce(): void {
  reference ??= openReference();
  reference.catch(() => {
    reference = undefined;
    loading?.replaceChildren('The operation could not be loaded. Please try again.');
  });
}

list?.addEventListener('click', ({ target }) => {
  if (target instanceof Element && target.closest('li a')) openOnce();
});
if (location.hash !== '') openOnce();

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
  configuration = {
    ...CONFIGURATION,
    authentication: {
      preferredSecurityScheme: 'bearer',
      securitySchemes: { bearer: { token } },
    },
  };
  (await reference)?.updateConfiguration(configuration);
  form?.reset();
  return `Signed in, with scope ${scope.split(' ').at(-1) ?? ''}. Requests of this page carry the token.`;
}

form?.addEventListener('submit', (event) => {
  event.preventDefault();
  signIn(new FormData(form)).then(
    (words) => status?.replaceChildren(words),
    () => status?.replaceChildren('The API does not respond.'),
  );
});

export {};
