import { SedgeError } from '../../../src/client/errors.ts'
import { StateImage } from '../assets/state-image.tsx'
import { pathInZone } from '../history/difference.tsx'
import { t } from '../language/text.ts'
import { CheckField } from '../parts/forms/field.tsx'
import { Icon } from '../parts/icon.tsx'

/** Paths `<zone>/v1/…` of images that a zone holds back, as far as a refusal names them; `undefined` of any other. */
export const heldIn = (error: unknown): readonly string[] | undefined =>
  error instanceof SedgeError && error.code === 'ModerationHeld'
    ? error.details.flatMap(({ target }) => target ?? [])
    : undefined

interface HeldImagesProps {
  /** Why it cannot be done, of which some may be for these images. */
  readonly refusals: readonly unknown[]
  readonly commit: string
  readonly released: ReadonlySet<string>
  readonly onChange: (released: ReadonlySet<string>) => void
}

/** What a model takes for unfit, or has not seen: a person looks at each, and releases it or leaves it here. */
export function HeldImages({ refusals, released, ...rest }: HeldImagesProps) {
  const held = refusals.flatMap((refusal) => heldIn(refusal) ?? [])
  const paths = [...new Set([...released, ...held])].toSorted()
  return paths.length === 0 ? undefined : <Held paths={paths} released={released} {...rest} />
}

interface HeldProps extends Omit<HeldImagesProps, 'refusals'> {
  /** Those that are held back, and those that were and are released. */
  readonly paths: readonly string[]
}

const Held = ({ paths, commit, released, onChange }: HeldProps) => (
  <section className="stack" aria-label={t('Held back')}>
    <div className="note" role="alert">
      <Icon name="alert" />
      <p>
        {t(
          'The zone holds these images back: a model takes them for unfit, or has not seen them yet. Release those that you have looked at, or try again when they have been seen.',
        )}
      </p>
    </div>
    <ul className="conflicts">
      {paths.map((path) => (
        <li key={path}>
          <div className="conflict-sides">
            <figure>
              <StateImage
                path={path}
                commit={commit}
                isThere
                widthPx={200}
                heightPx={140}
                alt={pathInZone(path)}
              />
            </figure>
          </div>
          <CheckField
            label={t('Release {path}', { path: pathInZone(path) })}
            checked={released.has(path)}
            onChange={({ target }) =>
              onChange(
                new Set(
                  target.checked
                    ? [...released, path]
                    : [...released].filter((each) => each !== path),
                ),
              )
            }
          />
        </li>
      ))}
    </ul>
  </section>
)
