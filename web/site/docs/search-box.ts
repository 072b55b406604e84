import { element } from './elements.ts'

interface Result {
  readonly page: string
  readonly heading: string
  readonly text: string
  readonly url: string
}

const waitMs = 150
const shortest = 2

/** Results while one writes. Without a script the same form asks for a page of them. */
export function searchAsTyped(): void {
  const input = document.querySelector<HTMLInputElement>('#find')
  const form = input?.form
  if (!input || !form) return
  const list = element('ul', '', {
    role: 'listbox',
    id: 'found',
    tabindex: '0',
    'aria-label': 'Pages',
  })
  const status = element('p', '', { role: 'status', class: 'found-status' })
  const panel = element('div', '', { class: 'found' })
  panel.hidden = true
  panel.append(status, list)
  form.append(panel)
  const attributes = { role: 'combobox', 'aria-controls': 'found', 'aria-autocomplete': 'list' }
  for (const [name, value] of Object.entries({ ...attributes, 'aria-expanded': 'false' }))
    input.setAttribute(name, value)
  createBox({ input, list, status, panel })
  focusOnSlash(input)
}

interface Parts {
  readonly input: HTMLInputElement
  readonly list: HTMLUListElement
  readonly status: HTMLElement
  readonly panel: HTMLElement
}

/** What is shown below the field, and which of it is chosen. */
function createChoice({ input, list, panel }: Omit<Parts, 'status'>) {
  let chosen = -1
  const options = (): HTMLElement[] => [...list.querySelectorAll<HTMLElement>('[role=option]')]
  const choose = (place: number): void => {
    chosen = place
    for (const [each, option] of options().entries())
      option.setAttribute('aria-selected', String(each === place))
    const option = options()[place]
    if (option) input.setAttribute('aria-activedescendant', option.id)
    else input.removeAttribute('aria-activedescendant')
    option?.scrollIntoView({ block: 'nearest' })
  }
  return {
    chosen: () => options()[chosen],
    isEmpty: () => options().length === 0,
    move(step: 1 | -1): void {
      const { length } = options()
      if (length > 0) choose((Math.max(chosen, step === 1 ? -1 : 0) + step + length) % length)
    },
    open(isOpen: boolean): void {
      panel.hidden = !isOpen
      input.setAttribute('aria-expanded', String(isOpen && options().length > 0))
      choose(-1)
    },
  }
}

function createBox({ input, list, status, panel }: Parts): void {
  const choice = createChoice({ input, list, panel })
  answerTyping({ input, list, status, panel }, choice)
  input.addEventListener('focus', () => choice.open(!choice.isEmpty()))
  input.form?.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && input.form?.contains(relatedTarget))) choice.open(false)
  })
  // The field keeps the focus while something in the list is pressed.
  panel.addEventListener('mousedown', (event) => event.preventDefault())
  list.addEventListener('click', (event) => {
    const option = (event.target as Element).closest<HTMLElement>('[role=option]')
    if (option) go(option, event.ctrlKey || event.metaKey)
  })
  input.addEventListener('keydown', (event) => {
    const option = choice.chosen()
    if (event.key === 'Escape' && !panel.hidden) choice.open(false)
    else if (event.key === 'ArrowDown') choice.move(1)
    else if (event.key === 'ArrowUp') choice.move(-1)
    else if (event.key === 'Enter' && option) go(option, event.ctrlKey || event.metaKey)
    else return
    event.preventDefault()
  })
}

/** Asks a moment after the last letter; an answer to what was written before is left aside. */
function answerTyping(
  { input, list, status }: Parts,
  choice: Pick<ReturnType<typeof createChoice>, 'open'>,
): void {
  let asked = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const show = (results: readonly Result[], message: string): void => {
    list.replaceChildren(...results.map((result, place) => optionOf(result, place, input.value)))
    status.textContent = message
    choice.open(true)
  }
  const search = async (): Promise<void> => {
    asked.abort()
    const current = new AbortController()
    asked = current
    const question = input.value.trim()
    if (question.length < shortest) return choice.open(false)
    try {
      const results = await found(question, current.signal)
      show(results, results.length === 0 ? 'No results' : countOf(results.length))
    } catch (error) {
      if (!current.signal.aborted) show([], error instanceof Error ? error.message : 'No results')
    }
  }
  input.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(() => void search(), waitMs)
  })
}

const countOf = (count: number): string => (count === 1 ? '1 page' : `${count} pages`)

async function found(question: string, signal: AbortSignal): Promise<readonly Result[]> {
  const response = await fetch(`/api/docs/search?${new URLSearchParams({ q: question })}`, {
    signal,
    credentials: 'omit',
    headers: { Accept: 'application/json' },
  })
  if (response.status === 429) throw new Error('Too many searches: press Enter, or wait a minute')
  if (!response.ok) throw new Error('The search does not answer')
  return ((await response.json()) as { readonly results: readonly Result[] }).results
}

function optionOf({ page, heading, text, url }: Result, place: number, question: string) {
  const option = element('li', '', {
    role: 'option',
    id: `found-${place}`,
    'aria-selected': 'false',
  })
  const { pathname, hash } = new URL(url)
  option.dataset['href'] = pathname + hash
  const title = element('strong', heading === '' ? page : `${page} › ${heading}`)
  const snippet = element('span')
  snippet.append(...marked(excerpt(text, question), question))
  option.append(title, snippet)
  return option
}

const excerptLength = 160

/** The part of the text around the first word of the question. */
function excerpt(text: string, question: string): string {
  const lower = text.toLowerCase()
  const [at = 0] = wordsOf(question)
    .map((word) => lower.indexOf(word))
    .filter((place) => place >= 0)
    .toSorted((a, b) => a - b)
  const start = at < excerptLength / 2 ? 0 : text.indexOf(' ', at - excerptLength / 3) + 1
  const cut = text.slice(start, start + excerptLength)
  return `${start > 0 ? '… ' : ''}${cut}${start + excerptLength < text.length ? ' …' : ''}`
}

const wordsOf = (question: string): readonly string[] =>
  question
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 2)

function marked(text: string, question: string): readonly (Node | string)[] {
  const words = wordsOf(question)
  return text
    .split(/(?<![\p{L}\p{N}])(?=[\p{L}\p{N}])|(?<=[\p{L}\p{N}])(?![\p{L}\p{N}])/u)
    .map((part) =>
      words.some((word) => part.toLowerCase().startsWith(word)) ? element('mark', part) : part,
    )
}

function go(option: HTMLElement, isElsewhere: boolean): void {
  const href = option.dataset['href'] ?? '/docs/'
  if (isElsewhere) window.open(href, '_blank', 'noopener')
  else location.assign(href)
}

/** As on other sites; who writes somewhere writes a slash. */
function focusOnSlash(input: HTMLInputElement): void {
  document.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, target } = event
    const isWriting = target instanceof HTMLElement && target.closest('input, textarea, select')
    const isSlash = key === '/' && !ctrlKey && !metaKey && !altKey && !isWriting
    const isPalette = key.toLowerCase() === 'k' && (ctrlKey || metaKey)
    if (!isSlash && !isPalette) return
    event.preventDefault()
    input.focus()
    input.select()
  })
}
