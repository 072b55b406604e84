/** One spelling, whatever keyboard it was typed on. */
export const normalizePassword = (text: string): string => text.normalize('NFKC')

export const isPasswordHash = (text: string): boolean => text.startsWith('$argon2')

/** For keeping: Argon2id with a salt of its own, at the cost that OWASP recommends (19 MiB, two passes). */
export const hashPassword = (password: string): Promise<string> =>
  Bun.password.hash(normalizePassword(password), {
    algorithm: 'argon2id',
    memoryCost: 19_456,
    timeCost: 2,
  })

/** `false` for a hash that is damaged, too. */
export const matchesPasswordHash = (password: string, hash: string): Promise<boolean> =>
  Bun.password.verify(normalizePassword(password), hash).catch(() => false)

/** In place of a password: nobody can sign in with one. */
export const disabledPassword = '!'
