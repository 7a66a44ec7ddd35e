// What preview.ts asks of an engine, from 5.0 to 6.3: types alone, of which nothing is left in the browser.

export interface Viewpoint {
  isValid(): boolean;
  toJSON(): object;
}

/** Of Cesium: draws again and again, at most so often as it is told. */
export interface Globe {
  targetFrameRate: number | undefined;
  readonly scene: { readonly postRender: Happening<unknown> };
}

export interface VcsMap {
  readonly name: string;
  getViewpoint(): Promise<Viewpoint | null>;
  gotoViewpoint(viewpoint: Viewpoint): Promise<void>;
  getCesiumWidget?(): Globe | undefined;
}

export interface Layer {
  readonly name: string;
  readonly className: string;
  readonly active: boolean;
  readonly loading: boolean;
  readonly activeOnStartup: boolean;
  readonly properties?: { readonly title?: unknown };
  activate(): Promise<void>;
  deactivate(): void;
}

export interface Happening<T> {
  addEventListener(listener: (value: T) => void): () => void;
}

interface Layers extends Iterable<Layer> {
  readonly stateChanged: Happening<Layer>;
  readonly added: Happening<Layer>;
  readonly removed: Happening<Layer>;
}

interface Interaction {
  setActive(): void;
}

interface Maps {
  readonly activeMap: VcsMap | null | undefined;
  readonly mapActivated: Happening<VcsMap>;
  readonly eventHandler: { addPersistentInteraction(interaction: Interaction): void };
  hasKey(name: string): boolean;
  setActiveMap(name: string): Promise<void>;
}

export interface PreviewApp {
  readonly maps: Maps;
  readonly layers: Layers;
  /** Of engine 5: after one failure all later modules would fail. */
  _moduleMutationPromise?: Promise<void>;
  addModule(module: object): Promise<void>;
  removeModule(id: string): Promise<void>;
}

export interface InteractionEvent {
  readonly feature?: object;
}

/** What is asked of the engine's core.js. */
export interface Core {
  readonly VcsModule: new (config: object) => object;
  readonly Viewpoint: new (options: object) => Viewpoint;
  readonly AbstractInteraction: new (eventType: number) => Interaction;
  readonly EventType: { readonly CLICK: number };
  readonly vcsLayerName: symbol;
}

export interface Feature {
  getAttributes?(): Record<string, unknown>;
  getId?(): string | number | undefined;
}
