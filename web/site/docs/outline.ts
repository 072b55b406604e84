/** Marks the section that is read, and brings the current page into sight in the list of pages. */
export function followOutline(): void {
  const current = document.querySelector('.contents [aria-current]')
  const list = document.querySelector('.contents')
  if (current && list && list.scrollHeight > list.clientHeight)
    list.scrollTop += current.getBoundingClientRect().top - list.getBoundingClientRect().top - 100
  const links = [...document.querySelectorAll<HTMLAnchorElement>('.outline a')]
  const headings = links.flatMap(
    ({ hash }) => document.getElementById(decodeURIComponent(hash.slice(1))) ?? [],
  )
  if (headings.length === 0) return
  const mark = (): void => {
    const read = headings.findLast((heading) => heading.getBoundingClientRect().top < 140)
    for (const [place, link] of links.entries())
      if (headings[place] === read) link.setAttribute('aria-current', 'true')
      else link.removeAttribute('aria-current')
  }
  let isDue = false
  addEventListener(
    'scroll',
    () => {
      if (isDue) return
      isDue = true
      requestAnimationFrame(() => {
        isDue = false
        mark()
      })
    },
    { passive: true },
  )
  mark()
}
