import { CheckField, SelectField, TextField } from '../parts/forms/field.tsx'
import { Segments } from '../parts/forms/segments.tsx'
import { faultOfSide, fits, formatChoices, gravities, type Recipe } from './recipe.ts'
import { SliderField } from './slider-field.tsx'

export interface RecipeFormProps {
  readonly recipe: Recipe
  readonly onChange: (changes: Recipe) => void
}

const densities = [
  { value: '1', label: '1×' },
  { value: '2', label: '2×' },
  { value: '3', label: '3×' },
  { value: '4', label: '4×' },
] as const

/** A control for every parameter that a transform has. */
export function RecipeForm({ recipe, onChange }: RecipeFormProps) {
  return (
    <form className="recipe" onSubmit={(event) => event.preventDefault()}>
      <div className="recipe-pair">
        <SideField name="w" label="Width" recipe={recipe} onChange={onChange} />
        <SideField name="h" label="Height" recipe={recipe} onChange={onChange} />
      </div>
      <SelectField
        label="Fit"
        value={recipe.fit ?? ''}
        options={fits}
        onChange={({ target }) => onChange({ fit: target.value })}
      />
      <SelectField
        label="Keep in view"
        value={recipe.gravity ?? ''}
        options={gravities}
        onChange={({ target }) => onChange({ gravity: target.value })}
      />
      <SelectField
        label="Format"
        value={recipe.format ?? ''}
        options={formatChoices}
        onChange={({ target }) => onChange({ format: target.value })}
      />
      <Segments
        label="Density"
        value={recipe.dpr ?? '1'}
        options={densities}
        onChange={(dpr) => onChange({ dpr: dpr === '1' ? undefined : dpr })}
      />
      <Sliders recipe={recipe} onChange={onChange} />
      <CheckField
        label="Moving pictures stay so"
        checked={recipe.anim !== '0'}
        onChange={({ target }) => onChange({ anim: target.checked ? undefined : '0' })}
      />
    </form>
  )
}

const Sliders = ({ recipe, onChange }: RecipeFormProps) => (
  <>
    <SliderField
      label="Quality"
      range={{ min: 1, max: 100, rest: 80 }}
      value={recipe.q}
      isDisabled={recipe.format === 'png'}
      onChange={(q) => onChange({ q })}
    />
    <SliderField
      label="Blur"
      range={{ min: 0, max: 250, rest: 0 }}
      value={recipe.blur}
      onChange={(blur) => onChange({ blur })}
    />
    <SliderField
      label="Sharpen"
      range={{ min: 0, max: 10, rest: 0 }}
      value={recipe.sharpen}
      onChange={(sharpen) => onChange({ sharpen })}
    />
  </>
)

interface SideFieldProps extends RecipeFormProps {
  readonly name: 'w' | 'h'
  readonly label: string
}

const SideField = ({ name, label, recipe, onChange }: SideFieldProps) => (
  <TextField
    label={label}
    inputMode="numeric"
    placeholder="auto"
    value={recipe[name] ?? ''}
    fault={faultOfSide(recipe[name])}
    onChange={({ target }) => onChange({ [name]: target.value.trim() })}
  />
)
