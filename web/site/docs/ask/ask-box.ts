import { element } from '../elements.ts'
import { replyParts } from './reply-parts.ts'
import { type Reply, ask, type Turn } from './ask-service.ts'

const longestQuestion = 1000
const turnsKept = 10

/** A button that opens a conversation with the assistant. Without a script there is none. */
export function offerAsking(): void {
  const nav = document.querySelector('.bar nav')
  if (nav === null) return
  const box = createBox()
  const button = element('button', 'Ask', {
    type: 'button',
    class: 'ask',
    'aria-haspopup': 'dialog',
  })
  button.addEventListener('click', () => {
    box.showModal()
    box.querySelector('input')?.focus()
  })
  nav.prepend(button)
  document.body.append(box)
}

function createBox(): HTMLDialogElement {
  const box = element('dialog', '', { class: 'ask-box', 'aria-labelledby': 'ask-title' })
  const close = element('button', 'Close', { type: 'button' })
  close.addEventListener('click', () => box.close())
  const head = element('header')
  head.append(element('h2', 'Ask the documentation', { id: 'ask-title' }), close)
  const log = element('div', '', {
    class: 'exchanges',
    role: 'log',
    tabindex: '0',
    'aria-label': 'Questions and answers',
  })
  const form = element('form')
  const input = element('input', '', {
    id: 'ask-question',
    type: 'text',
    required: '',
    maxlength: String(longestQuestion),
    autocomplete: 'off',
    placeholder: 'What is a zone?',
  })
  const submit = element('button', 'Ask', { type: 'submit' })
  form.append(element('label', 'Your question', { for: 'ask-question' }), input, submit)
  box.append(head, log, form)
  const converse = createConversation(log)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const question = input.value.trim()
    if (question === '') return
    input.value = ''
    void converse.ask(question)
  })
  box.addEventListener('close', () => converse.stop())
  return box
}

/** One question at a time: another one, or closing, breaks off what is still being answered. */
function createConversation(log: HTMLElement) {
  let history: readonly Turn[] = []
  let stopping = new AbortController()

  async function answer(question: string, place: HTMLElement, signal: AbortSignal): Promise<void> {
    let last: Reply | undefined
    for await (const so of ask({ message: question, history, signal })) {
      last = so
      place.replaceChildren(...replyParts(so, (next) => void converse.ask(next)))
      log.scrollTop = log.scrollHeight
    }
    const turns: readonly Turn[] = [
      { role: 'user', content: question },
      { role: 'assistant', content: last?.text ?? '' },
    ]
    history = [...history, ...turns].slice(-turnsKept)
  }

  const converse = {
    async ask(question: string): Promise<void> {
      stopping.abort()
      const { signal } = (stopping = new AbortController())
      const place = element('div', 'Looking it up …', { class: 'answer', 'aria-busy': 'true' })
      log.append(element('p', question, { class: 'question' }), place)
      try {
        await answer(question, place, signal)
      } catch (error) {
        const said = error instanceof TypeError ? 'The service cannot be reached.' : textOf(error)
        place.append(element('p', signal.aborted ? 'Stopped.' : said, { class: 'about' }))
      } finally {
        if (place.firstChild?.nodeType === Node.TEXT_NODE) place.firstChild.remove()
        place.removeAttribute('aria-busy')
      }
    },
    stop: () => stopping.abort(),
  }
  return converse
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
