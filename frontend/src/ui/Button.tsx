import type { ComponentProps } from 'react';
import styles from './Button.module.css';

/** Never `disabled`, but `aria-disabled`: a button that becomes disabled as it is pressed loses the focus. */
type Props = Omit<ComponentProps<'button'>, 'disabled'>;

type ButtonProps = Props & { readonly look?: 'primary' | 'plain' | 'quiet' | 'danger' };

/** A button with text. */
export function Button({ look = 'plain', type = 'button', className, ...rest }: ButtonProps) {
  const classes = [styles.button, className].filter(Boolean).join(' ');
  return <button {...rest} type={type} data-look={look} className={classes} />;
}

type IconButtonProps = Omit<Props, 'aria-label'> & { readonly label: string };

/** A button with an icon; its name is also its tooltip. */
export function IconButton({ label, type = 'button', className, ...rest }: IconButtonProps) {
  const classes = [styles.icon, className].filter(Boolean).join(' ');
  return <button {...rest} type={type} aria-label={label} title={label} className={classes} />;
}
