import { element } from './elements.ts'
import { keepChoice, keptChoice } from './kept.ts'

const keptName = 'sedge-docs-tab'

interface Group {
  readonly tabs: readonly HTMLButtonElement[]
  show(name: string): void
}

/** Groups of code blocks as tabs. What is chosen in one holds for all, here and on other pages. */
export function showTabs(): void {
  const groups: Group[] = []
  const choose = (name: string): void => {
    keepChoice(keptName, name)
    for (const group of groups) group.show(name)
  }
  for (const [number, place] of document.querySelectorAll<HTMLElement>('.tabs').entries())
    groups.push(groupOf(place, number, choose))
  const kept = keptChoice(keptName)
  for (const group of groups) {
    group.show(group.tabs[0]?.textContent ?? '')
    if (kept !== undefined) group.show(kept)
  }
}

function groupOf(place: HTMLElement, number: number, choose: (name: string) => void): Group {
  const panels = [...place.querySelectorAll<HTMLElement>('.tab')]
  const list = element('div', '', { role: 'tablist', 'aria-label': 'Ways to do it' })
  const tabs = panels.map((panel, index) => tabOf(panel, `${number}-${index}`))
  for (const tab of tabs) tab.addEventListener('click', () => chooseInPlace(tab, choose))
  list.addEventListener('keydown', (event) => {
    const next = tabs[placeAfter(event.key, tabs.indexOf(event.target as HTMLButtonElement), tabs)]
    if (next === undefined) return
    event.preventDefault()
    next.focus()
    chooseInPlace(next, choose)
  })
  list.append(...tabs)
  place.prepend(list)
  place.classList.add('shown')
  return { tabs, show: (name) => show(name, tabs, panels) }
}

function tabOf(panel: HTMLElement, id: string): HTMLButtonElement {
  const name = panel.dataset['name'] ?? ''
  panel.id = `panel-${id}`
  panel.setAttribute('role', 'tabpanel')
  panel.setAttribute('aria-labelledby', `tab-${id}`)
  panel.querySelector('.tab-name')?.remove()
  return element('button', name, {
    type: 'button',
    role: 'tab',
    id: `tab-${id}`,
    'aria-controls': panel.id,
  })
}

function show(name: string, tabs: readonly HTMLElement[], panels: readonly HTMLElement[]): void {
  if (!tabs.some(({ textContent }) => textContent === name)) return
  for (const [place, tab] of tabs.entries()) {
    const isChosen = tab.textContent === name
    tab.setAttribute('aria-selected', String(isChosen))
    tab.tabIndex = isChosen ? 0 : -1
    const panel = panels[place]
    if (panel) panel.hidden = !isChosen
  }
}

/** Groups above may change their height; what was chosen stays where it is on the screen. */
function chooseInPlace(tab: HTMLElement, choose: (name: string) => void): void {
  const before = tab.getBoundingClientRect().top
  choose(tab.textContent)
  scrollBy({ top: tab.getBoundingClientRect().top - before, behavior: 'instant' })
}

function placeAfter(key: string, place: number, { length }: readonly unknown[]): number {
  if (key === 'ArrowRight') return (place + 1) % length
  if (key === 'ArrowLeft') return (place + length - 1) % length
  if (key === 'Home') return 0
  return key === 'End' ? length - 1 : -1
}
