import { type RefObject, useId, useRef } from 'react'

import { type Piece, piecesOf } from './colour-rules.ts'
import type { RuleFile } from './rule-files.ts'

/** What is to be said of a line, counted from 1. */
export interface LineNote {
  readonly line: number
  readonly message: string
  readonly isFault: boolean
}

interface NumberedTextProps {
  readonly label: string
  /** How it is coloured. */
  readonly file: RuleFile
  readonly value: string
  readonly placeholder: string
  readonly notes: readonly LineNote[]
  readonly onChange: (value: string) => void
}

/** Text with its lines numbered and coloured, and below it what is to be said of them. */
export function NumberedText(props: NumberedTextProps) {
  const { label, file, value, placeholder, notes, onChange } = props
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const beside = useRef<HTMLPreElement>(null)
  const behind = useRef<HTMLPreElement>(null)
  const lines = (value === '' ? placeholder : value).split('\n')
  return (
    <div className="stack">
      <div className="numbered">
        <Gutter place={beside} count={lines.length} notes={notes} />
        <div className="numbered-text">
          <pre ref={behind} className="numbered-colours" aria-hidden="true">
            {value === ''
              ? ''
              : lines.map((line, index) => <Line key={index} {...{ file, line }} />)}
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
            onScroll={({ currentTarget: { scrollTop, scrollLeft } }) => {
              if (beside.current) beside.current.scrollTop = scrollTop
              behind.current?.scrollTo(scrollLeft, scrollTop)
            }}
            onChange={(event) => onChange(event.target.value)}
          />
        </div>
      </div>
      {notes.length > 0 && (
        <ul id={id} className="line-notes" aria-live="polite">
          {notes.map((note) => (
            <li key={`${note.line} ${note.message}`} data-note={kindOf(note)}>
              <button type="button" onClick={() => selectLine(area.current, note.line)}>
                {note.message}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

interface GutterProps {
  readonly place: RefObject<HTMLPreElement | null>
  readonly count: number
  readonly notes: readonly LineNote[]
}

function Gutter({ place, count, notes }: GutterProps) {
  const noteByLine = new Map(notes.map((note) => [note.line, note]))
  return (
    <pre ref={place} className="numbered-gutter" aria-hidden="true">
      {Array.from({ length: count }, (_, index) => (
        <span key={index} data-note={kindOf(noteByLine.get(index + 1))}>
          {index + 1}
        </span>
      ))}
    </pre>
  )
}

const Line = ({ file, line }: { readonly file: RuleFile; readonly line: string }) => (
  <>
    {piecesOf(file, line).map((piece: Piece, index) => (
      <span key={index} className={`rule-${piece.kind}`}>
        {piece.text}
      </span>
    ))}
    {'\n'}
  </>
)

function selectLine(area: HTMLTextAreaElement | null, line: number): void {
  if (area === null) return
  const lines = area.value.split('\n')
  const start = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0)
  area.focus()
  area.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0))
}

const kindOf = (note: LineNote | undefined): 'fault' | 'warning' | undefined => {
  if (note === undefined) return undefined
  return note.isFault ? 'fault' : 'warning'
}
