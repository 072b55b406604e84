const reloadedFor = 'sedge-reloaded-for'

/** The script that a page of the dashboard begins with; its name changes with all that it loads. */
const entryOf = (page: Document): string =>
  page.querySelector('script[type="module"]')?.getAttribute('src') ?? ''

interface ReloadOptions {
  /** Whether the page begins anew though the service is what it was: what is missing may be had then. */
  readonly evenTheSame: boolean
}

/**
 * Begins the page anew where the service has become another version since: the parts of the former are gone.
 * Once for each, so that what is missing for another reason is not asked for for ever.
 */
export async function reloadForNewVersion({ evenTheSame }: ReloadOptions): Promise<void> {
  const newest = await newestEntry()
  if (newest === undefined) return
  if (evenTheSame) location.reload()
  if (newest === entryOf(document) || sessionStorage.getItem(reloadedFor) === newest) return
  sessionStorage.setItem(reloadedFor, newest)
  location.reload()
}

/** `undefined` where the service cannot be reached, or nobody is signed in. */
async function newestEntry(): Promise<string | undefined> {
  try {
    const response = await fetch('/dashboard/', { cache: 'no-store', redirect: 'manual' })
    if (!response.ok) return undefined
    return entryOf(new DOMParser().parseFromString(await response.text(), 'text/html'))
  } catch {
    return undefined
  }
}
