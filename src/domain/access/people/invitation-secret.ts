import { createHash, randomBytes } from 'node:crypto'

/** How long a link to come in with is good. */
export const invitationLifeMs = 7 * 86_400_000

/** 256 random bits: only its hash is kept. */
export const createInvitationSecret = (): string => randomBytes(32).toString('base64url')

/** Lower-case hex SHA-256; looked up by it, a secret cannot be guessed from how long the looking took. */
export const hashInvitationSecret = (secret: string): string =>
  createHash('sha256').update(secret).digest('hex')
