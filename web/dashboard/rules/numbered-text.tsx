import { useId, useRef } from 'react'

/** What is to be said of a line, counted from 1. */
export interface LineNote {
  readonly line: number
  readonly message: string
  readonly isFault: boolean
}

interface NumberedTextProps {
  readonly label: string
  readonly value: string
  readonly placeholder: string
  readonly notes: readonly LineNote[]
  readonly onChange: (value: string) => void
}

/** Text with the numbers of its lines beside it, and below it what is to be said of them. */
export function NumberedText({ label, value, placeholder, notes, onChange }: NumberedTextProps) {
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const gutter = useRef<HTMLPreElement>(null)
  const noteByLine = new Map(notes.map((note) => [note.line, note]))
  const lines = (value === '' ? placeholder : value).split('\n')
  const select = (line: number) => {
    const before = value.split('\n').slice(0, line - 1)
    const start = before.reduce((sum, text) => sum + text.length + 1, 0)
    area.current?.focus()
    area.current?.setSelectionRange(start, start + (value.split('\n')[line - 1]?.length ?? 0))
  }
  return (
    <div className="stack">
      <div className="numbered">
        <pre ref={gutter} className="numbered-gutter" aria-hidden="true">
          {lines.map((_, index) => (
            <span key={index} data-note={kindOf(noteByLine.get(index + 1))}>
              {index + 1}
            </span>
          ))}
        </pre>
        <textarea
          ref={area}
          className="numbered-area"
          aria-label={label}
          aria-describedby={notes.length > 0 ? id : undefined}
          value={value}
          placeholder={placeholder}
          rows={14}
          wrap="off"
          spellCheck={false}
          autoCapitalize="none"
          onScroll={({ currentTarget }) => {
            if (gutter.current) gutter.current.scrollTop = currentTarget.scrollTop
          }}
          onChange={(event) => onChange(event.target.value)}
        />
      </div>
      {notes.length > 0 && (
        <ul id={id} className="line-notes" aria-live="polite">
          {notes.map((note) => (
            <li key={`${note.line} ${note.message}`} data-note={kindOf(note)}>
              <button type="button" onClick={() => select(note.line)}>
                {note.message}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

const kindOf = (note: LineNote | undefined): 'fault' | 'warning' | undefined => {
  if (note === undefined) return undefined
  return note.isFault ? 'fault' : 'warning'
}
