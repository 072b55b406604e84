const home = '/dashboard/'

/** A page of the dashboard, and nothing else: nobody is led anywhere by a link to sign in. */
export function ownPage(to: string | null | undefined): string {
  if (to == null || !to.startsWith(home) || /[\\\p{Cc}]/u.test(to)) return home
  const url = URL.parse(to, 'https://dashboard.invalid')
  const isOwn = url?.host === 'dashboard.invalid' && url.pathname.startsWith(home)
  return isOwn ? url.pathname + url.search : home
}

/** The query that keeps the page until one is signed in: nothing where it is the usual one. */
export function queryOfPage(to: string): string {
  return to === home ? '' : `?to=${encodeURIComponent(to)}`
}
