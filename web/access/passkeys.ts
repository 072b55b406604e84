import {
  type PublicKeyCredentialCreationOptionsJSON,
  startRegistration,
} from '@simplewebauthn/browser'

import { attempt, byId, call, show } from './call.ts'
import { humanTime, t } from './text.ts'

interface Passkey {
  readonly id: string
  readonly name: string
  readonly createdAt: string
  readonly lastUsedAt: string | null
}

interface Session {
  readonly id: string
  readonly method: string
  readonly current: boolean
  readonly ip: string
  readonly userAgent: string | null
  readonly lastSeenAt: string
}

/** An entry of a list: text, and a button that does away with it. */
function entry(text: string, label: string, remove: () => Promise<unknown>): HTMLLIElement {
  const item = document.createElement('li')
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'button'
  button.textContent = label
  button.setAttribute('aria-label', `${label}: ${text}`)
  button.addEventListener(
    'click',
    () =>
      void attempt(async () => {
        await remove()
        await showAll()
      }),
  )
  item.append(text, button)
  return item
}

async function showPasskeys(): Promise<void> {
  const { Passkeys: passkeys } = await call('GET', '/api/passkeys')
  const items = (passkeys as readonly Passkey[]).map(({ id, name, createdAt, lastUsedAt }) => {
    const date = humanTime(createdAt)
    const text =
      lastUsedAt === null
        ? t('{name}, registered {date}, never used', { name, date })
        : t('{name}, registered {date}, last used {used}', {
            name,
            date,
            used: humanTime(lastUsedAt),
          })
    return entry(text, t('Remove'), () => call('DELETE', `/api/passkeys/${id}`))
  })
  byId('passkeys').replaceChildren(...items)
}

async function showSessions(): Promise<void> {
  const { Sessions: sessions } = await call('GET', '/api/sessions')
  const items = (sessions as readonly Session[]).map((session) => {
    const values = {
      method: session.method,
      address: session.ip,
      browser: session.userAgent ?? t('unknown browser'),
      date: humanTime(session.lastSeenAt),
    }
    const text = session.current
      ? t('this one, by {method} from {address}, {browser}, seen {date}', values)
      : t('by {method} from {address}, {browser}, seen {date}', values)
    return entry(text, t('End'), () => call('DELETE', `/api/sessions/${session.id}`))
  })
  byId('sessions').replaceChildren(...items)
}

const showAll = async (): Promise<void> => {
  await Promise.all([showPasskeys(), showSessions()])
}

async function register(form: HTMLFormElement): Promise<void> {
  const name = (byId('name') as HTMLInputElement).value
  const { options } = await call('POST', '/api/passkeys/register/begin')
  const response = await startRegistration({
    optionsJSON: options as PublicKeyCredentialCreationOptionsJSON,
  })
  await call('POST', '/api/passkeys/register/complete', { ...response, name })
  form.reset()
  await showPasskeys()
  show(t('Passkey "{name}" is registered.', { name }))
}

const form = byId('add') as HTMLFormElement
form.addEventListener('submit', (event) => {
  event.preventDefault()
  void attempt(() => register(form))
})
void attempt(showAll)
