type Variables = Readonly<Record<string, string | undefined>>;

const hidden = '[hidden]';
// PWD and OLDPWD are folders
const secretName =
  /key|token|secret|passw|^(?!(?:OLD)?PWD$).*pwd|credential|authorization|cookie|signature|^(?:auth|jwt|pass|sig)$/i;

/**
 * The values of variables whose names suggest a key, in every form that a server or library may repeat. Short values are no secrets, and hiding them would garble other text.
 */
export function secretsOf(environment: Variables): string[] {
  const values = Object.entries(environment).flatMap(([name, value]) =>
    secretName.test(name) && value !== undefined && value.length >= 8 ? formsOf(value) : [],
  );
  return [...new Set(values)].toSorted((one, two) => two.length - one.length);
}

function formsOf(value: string): string[] {
  const bytes = Buffer.from(value);
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    bytes.toString('hex'),
  ];
}

/** The text without these secrets and without passwords in addresses. */
export function withoutSecrets(text: string, secrets: readonly string[] = []): string {
  return withoutUrlSecrets(secrets.reduce((said, secret) => said.replaceAll(secret, hidden), text));
}

/**
 * Redacts addresses but keeps them distinguishable. Removes the password, up to the last @ of the word; the user of an HTTP address without a password, which is a token; and parameters named like a key.
 */
function withoutUrlSecrets(text: string): string {
  // in a database address, spaces and quotes are part of the password
  const end = /^postgres(?:ql)?:/i.test(text) ? '' : String.raw`\s"'\``;
  return text
    .replaceAll(/(\bhttps?:\/\/)[^\s:@/?#"'`]+@/gi, `$1${hidden}@`)
    .replaceAll(
      new RegExp(String.raw`(\b[a-z][a-z0-9+.-]*:\/\/)([^\s:@/?#"'\`]*):[^\n${end}]*@`, 'gi'),
      `$1$2@`,
    )
    .replaceAll(
      new RegExp(String.raw`([?&;#]([^\s=&;#"'\`]+)=)([^\n&;#${end}]+)`, 'g'),
      (all, head: string, name: string) => (secretName.test(name) ? `${head}${hidden}` : all),
    );
}

/** The same for every string in a JSON value. */
export function deeplyWithoutSecrets<Value>(value: Value, secrets: readonly string[]): Value {
  if (typeof value === 'string') return withoutSecrets(value, secrets) as Value;
  if (Array.isArray(value)) return value.map((part) => deeplyWithoutSecrets(part, secrets)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      withoutSecrets(name, secrets),
      deeplyWithoutSecrets(part, secrets),
    ]),
  ) as Value;
}
