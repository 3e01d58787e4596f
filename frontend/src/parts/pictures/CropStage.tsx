import { type KeyboardEvent, useEffect, useId, useMemo, useRef } from 'react';
import { useScreenTexts } from '../../i18n/screens.ts';
import { useZoom } from '../files/use-zoom.ts';
import type { Zoom } from '../files/zoom.ts';
import styles from './CropDialog.module.css';
import { CROP_ZOOM_MAX, covering, cropRules, STAGE } from './crop.ts';
import type { OpenPicture, PictureKind } from './make-picture.ts';

interface CropStageProps {
  readonly kind: PictureKind;
  readonly picture: OpenPicture;
  /** Told of each change. */
  readonly onZoom: (zoom: Zoom) => void;
  readonly onEnter: () => void;
}

/** What an arrow key moves it by, in pixels; with Shift, by one. */
const STEP = 12;
const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The picture behind its shape. It is moved and zoomed by pointer, fingers, wheel or keys. */
export function CropStage({ kind, picture, onZoom, onEnter }: CropStageProps) {
  const { pictures: texts } = useScreenTexts();
  const id = useId();
  const stage = useRef<HTMLDivElement>(null);
  const rules = useMemo(() => cropRules(picture.bitmap), [picture]);
  const { zoom, zoomBy, moveBy, handlers } = useZoom(stage, stay, rules);
  const { x, y, scale } = zoom;

  useEffect(() => stage.current?.focus(), []);
  useEffect(() => onZoom(zoom), [zoom, onZoom]);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = ARROWS[event.key];
    const step = event.shiftKey ? 1 : STEP;
    if (arrow !== undefined) moveBy({ x: arrow[0] * step, y: arrow[1] * step });
    else if (event.key === '+' || event.key === '=') zoomBy(1.2);
    else if (event.key === '-') zoomBy(1 / 1.2);
    else if (event.key === 'Enter') onEnter();
    else return;
    event.preventDefault();
  }

  return (
    <>
      <div
        ref={stage}
        className={styles.stage}
        style={{ width: STAGE, height: STAGE }}
        data-shape={kind}
        data-testid="crop"
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys move the picture.
        tabIndex={0}
        aria-label={texts.part}
        aria-describedby={id}
        onKeyDown={onKeyDown}
        {...handlers}
      >
        <img
          src={picture.url}
          alt=""
          draggable={false}
          style={{
            ...covering(picture.bitmap),
            transform: `translate(-50%, -50%) translate(${x}px, ${y}px) scale(${scale})`,
          }}
        />
      </div>
      <p id={id} className={styles.hint}>
        {texts.cropHint}
      </p>
      <label className={styles.zoom}>
        {texts.zoom}
        <input
          type="range"
          min={1}
          max={CROP_ZOOM_MAX}
          step={0.01}
          value={scale}
          aria-valuetext={texts.percent(Math.round(scale * 100))}
          onChange={({ target }) => zoomBy(Number(target.value) / scale)}
        />
      </label>
    </>
  );
}

function stay(): void {}
