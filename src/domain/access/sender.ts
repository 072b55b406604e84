import type { Sender, SenderKind } from '../../ports/records/sender.ts'

const kindByPrefix: readonly (readonly [prefix: string, kind: SenderKind])[] = [
  ['token:', 'token'],
  ['session:', 'session'],
  ['grant:', 'grant'],
  ['person:', 'person'],
]

/** Who is behind the id of a credential as the logs have it; `undefined` for nobody in particular. */
export function senderOf(
  credentialId: string,
  nameOf: (id: string) => string | undefined = () => undefined,
): Sender | undefined {
  if (credentialId === 'anonymous' || credentialId === '') return undefined
  const name = nameOf(credentialId)
  return { kind: kindOf(credentialId), id: credentialId, ...(name !== undefined && { name }) }
}

function kindOf(credentialId: string): SenderKind {
  const known = kindByPrefix.find(([prefix]) => credentialId.startsWith(prefix))
  if (known !== undefined) return known[1]
  return credentialId.endsWith('-key') ? 'key' : 'service'
}
