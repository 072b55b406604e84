interface Check {
  readonly name: string
  readonly healthy: boolean
  readonly latencyMs: number
}

const status = document.querySelector<HTMLElement>('#status')
const list = document.querySelector('#checks')
const askEveryMs = 15_000

/** Asks the service how it is and says so on the page, again and again while somebody looks. */
async function show(): Promise<void> {
  if (document.hidden) return
  try {
    const response = await fetch('/api/health?deep=1', { headers: { Accept: 'application/json' } })
    const { checks } = (await response.json()) as { checks: readonly Check[] }
    const broken = checks.filter(({ healthy }) => !healthy)
    say(broken.length === 0 ? 'ok' : 'degraded', sentence(broken))
    list?.replaceChildren(...checks.map(item))
  } catch {
    say('degraded', 'The service does not answer.')
    list?.replaceChildren()
  }
}

const sentence = (broken: readonly Check[]): string =>
  broken.length === 0
    ? 'Everything works.'
    : `Not everything works: ${broken.map(({ name }) => name).join(', ')}.`

/** Said only where it is news: screen readers read each change aloud. */
function say(state: string, text: string): void {
  if (status === null || status.textContent === text) return
  status.dataset['state'] = state
  status.textContent = text
}

function item({ name, healthy, latencyMs }: Check): HTMLLIElement {
  const element = document.createElement('li')
  element.dataset['state'] = healthy ? 'ok' : 'degraded'
  const [label, measure] = [document.createElement('span'), document.createElement('span')]
  label.textContent = name
  measure.textContent = healthy ? `${latencyMs.toFixed(1)} ms` : 'does not work'
  element.append(label, measure)
  return element
}

void show()
setInterval(() => void show(), askEveryMs)
document.addEventListener('visibilitychange', () => void show())
