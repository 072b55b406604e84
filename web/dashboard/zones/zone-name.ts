import { t } from '../language/text.ts'
/** What is wrong with the name of a new zone; `undefined` where the service will take it, or has to say. */
export function faultOfZoneName(name: string): string | undefined {
  if (/[A-Z]/u.test(name)) return t('Lower-case letters only.')
  const wrong = /[^a-z0-9-]/u.exec(name)?.[0]
  if (wrong !== undefined)
    return t('Only letters, digits and hyphens: {wrong} cannot be in it.', {
      wrong: wrong === ' ' ? 'a blank' : wrong,
    })
  if (name.length > 64) return t('At most 64 characters.')
  return name.length === 1 ? t('At least 2 characters.') : undefined
}
