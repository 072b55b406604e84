import { transformParameters } from '../../../src/client/transform-parameters.ts'
import { t } from '../language/text.ts'
import { type ParameterName, parameterNames } from '../page-parameters.ts'
import { CheckField, SelectField, TextField } from '../parts/forms/field.tsx'
import { Segments } from '../parts/forms/segments.tsx'
import { faultOfSide, type Recipe } from './recipe.ts'
import { SliderField } from './slider-field.tsx'

export interface RecipeFormProps {
  readonly recipe: Recipe
  readonly onChange: (changes: Recipe) => void
}

/** A control for every parameter that a transform has, by the kind of its values. */
export const RecipeForm = (props: RecipeFormProps) => (
  <form className="recipe" onSubmit={(event) => event.preventDefault()}>
    <div className="recipe-pair">
      <SideField name="w" {...props} />
      <SideField name="h" {...props} />
    </div>
    {firstNames.map((name) => (
      <ParameterField key={name} name={name} {...props} />
    ))}
    <details className="recipe-more" open={moreNames.some((name) => props.recipe[name])}>
      <summary>{t('More')}</summary>
      {moreNames.map((name) => (
        <ParameterField key={name} name={name} {...props} />
      ))}
    </details>
  </form>
)

/** What most images are asked for by; `w` and `h` stand before them. */
const firstNames = [
  'fit',
  'gravity',
  'format',
  'q',
  'dpr',
] as const satisfies readonly ParameterName[]

const moreNames = parameterNames.filter(
  (name) => name !== 'w' && name !== 'h' && !(firstNames as readonly string[]).includes(name),
)

interface ParameterFieldProps extends RecipeFormProps {
  readonly name: ParameterName
}

function ParameterField({ name, recipe, onChange }: ParameterFieldProps) {
  const parameter = transformParameters[name]
  const { kind, label } = parameter
  const value = recipe[name]
  const change = (changed: string | undefined) => onChange({ [name]: changed })
  if (kind === 'word')
    return (
      <SelectField
        label={label}
        value={value ?? ''}
        options={parameter.options}
        onChange={({ target }) => change(target.value)}
      />
    )
  if (kind === 'text')
    return (
      <TextField
        label={label}
        placeholder={parameter.hint}
        value={value ?? ''}
        onChange={({ target }) =>
          change(target.value.trim() === '' ? undefined : target.value.trim())
        }
      />
    )
  const { min, max, rest, step } = parameter
  if (kind === 'number')
    return (
      <SliderField
        label={label}
        range={{ min: Math.min(min, rest), max, rest, step }}
        value={value}
        isDisabled={name === 'q' && recipe.format === 'png'}
        onChange={change}
      />
    )
  const shown = value ?? String(rest)
  const changeFromRest = (changed: string) => change(changed === String(rest) ? undefined : changed)
  return kind === 'flag' ? (
    <CheckField
      label={label}
      checked={shown !== '0'}
      onChange={({ target }) => changeFromRest(target.checked ? '1' : '0')}
    />
  ) : (
    <Segments
      label={label}
      value={shown}
      options={wholeNumbers(min, max).map((each) => ({ value: each, label: `${each}×` }))}
      onChange={changeFromRest}
    />
  )
}

const wholeNumbers = (min: number, max: number): readonly string[] =>
  Array.from({ length: max - min + 1 }, (_, index) => String(min + index))

interface SideFieldProps extends RecipeFormProps {
  readonly name: 'w' | 'h'
}

const SideField = ({ name, recipe, onChange }: SideFieldProps) => (
  <TextField
    label={transformParameters[name].label}
    inputMode="numeric"
    placeholder="auto"
    value={recipe[name] ?? ''}
    fault={faultOfSide(recipe[name])}
    onChange={({ target }) => onChange({ [name]: target.value.trim() })}
  />
)
