import { Moon, Sun } from 'lucide-react'
import { buttonClass } from './button.tsx'
import { cn } from './cn.ts'

/** Flips light and dark. The work is done by `listenForThemeToggle`, so still pages have it too. */
export function ThemeToggle({ className }: { className?: string }) {
  return (
    <button
      type="button"
      data-theme-toggle
      aria-label="Switch theme"
      className={cn(buttonClass({ variant: 'ghost', size: 'icon' }), className)}
    >
      <span className="only-light col-start-1 row-start-1">
        <Moon size={20} aria-hidden />
      </span>
      <span className="only-dark col-start-1 row-start-1">
        <Sun size={20} aria-hidden />
      </span>
    </button>
  )
}
