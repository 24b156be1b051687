import { Star } from 'lucide-react'
import { useId } from 'react'
import { FieldError } from '../../../ui/field.tsx'
import { maxStars } from '../rules.ts'

/** One to five stars, as radio buttons: the arrow keys move between them. Works unhydrated. */
export function StarChoice({ rating, error }: { rating: number | null; error?: string }) {
  const id = useId()
  return (
    <fieldset
      className="grid min-w-0 justify-items-start gap-1.5"
      aria-describedby={error ? id : undefined}
    >
      <legend className="mb-1.5 text-sm font-semibold">Your rating</legend>
      <div className="group -ml-1.5 flex">
        {Array.from({ length: maxStars }, (_, index) => index + 1).map((stars) => (
          <label
            key={stars}
            // Filled: the chosen star and all before it; while a mouse points, up to where it points.
            className={
              'grid size-11 place-items-center rounded-control text-edge [&>svg]:fill-wash ' +
              'has-checked:text-warning has-checked:[&>svg]:fill-spark ' +
              'has-[~label>input:checked]:text-warning has-[~label>input:checked]:[&>svg]:fill-spark ' +
              'hover:text-warning has-[~label:hover]:text-warning ' +
              'has-focus-visible:outline-2 has-focus-visible:outline-primary'
            }
          >
            <input
              type="radio"
              name="rating"
              value={stars}
              defaultChecked={stars === rating}
              data-invalid={error ? true : undefined}
              className="sr-only"
            />
            <Star size={28} aria-hidden />
            <span className="sr-only">{stars === 1 ? '1 star' : `${stars} stars`}</span>
          </label>
        ))}
      </div>
      {error && <FieldError id={id}>{error}</FieldError>}
    </fieldset>
  )
}
