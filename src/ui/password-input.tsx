import { Eye, EyeOff } from 'lucide-react'
import { useState, type ComponentProps } from 'react'
import { cn } from './cn.ts'
import { Input, useFieldLabel } from './field.tsx'
import { useHydrated } from './use-hydrated.ts'

/** A password box with a show/hide button; only the box until the page is hydrated. */
export function PasswordInput({ className, ...rest }: Omit<ComponentProps<'input'>, 'type'>) {
  const [shown, setShown] = useState(false)
  const hydrated = useHydrated()
  const label = useFieldLabel()
  // Several may stand on one page.
  const which = label === null || label === 'Password' ? '' : `: ${label}`
  const Icon = shown ? EyeOff : Eye

  return (
    <div className={cn('relative', className)}>
      <Input
        spellCheck={false}
        autoCapitalize="none"
        autoCorrect="off"
        {...rest}
        type={shown ? 'text' : 'password'}
        className="pr-12"
      />
      {hydrated && (
        <button
          type="button"
          aria-label={`${shown ? 'Hide' : 'Show'} password${which}`}
          onClick={() => setShown(!shown)}
          className={
            'absolute inset-y-1 right-1 grid w-10 place-items-center rounded-lg text-muted ' +
            'hover:bg-wash hover:text-ink focus-visible:-outline-offset-2'
          }
        >
          <Icon size={18} aria-hidden />
        </button>
      )}
    </div>
  )
}
