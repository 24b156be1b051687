import { Radio } from '../../../../ui/radio.tsx'
import { choices } from '../../leaving-rules.ts'
import type { Deletion } from '../../leaving-schema.ts'

/** What becomes of own courses that others are members of. Nothing is chosen for the person. */
export function MembersCoursesChoice({ chosen }: { chosen: Deletion['membersCourses'] }) {
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 font-semibold">
        What should happen to your courses with members?
      </legend>
      {(['keep', 'delete'] as const).map((value) => (
        <label
          key={value}
          className={
            'grid cursor-pointer grid-cols-[auto_1fr] items-center gap-x-3 gap-y-0.5 rounded-card ' +
            'border border-edge/50 p-4 hover:border-edge has-checked:border-primary ' +
            'has-checked:bg-primary-soft has-focus-visible:outline-2 ' +
            'has-focus-visible:outline-offset-2 has-focus-visible:outline-primary'
          }
        >
          <Radio
            name="membersCourses"
            value={value}
            required
            defaultChecked={value === chosen}
            aria-describedby={`members-courses-${value}`}
          />
          <span className="font-semibold">{choices[value].label}</span>
          <span
            id={`members-courses-${value}`}
            className="col-start-2 text-sm text-pretty text-muted"
          >
            {choices[value].hint}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
