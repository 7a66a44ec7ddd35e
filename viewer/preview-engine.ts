// The part of engines 5.0 to 6.3 that preview.ts uses. Types only.

export interface Viewpoint {
  isValid(): boolean;
  toJSON(): object;
}

/** A Cesium widget: renders continuously, at most at the target frame rate. */
export interface Globe {
  targetFrameRate: number | undefined;
  readonly scene: { readonly postRender: VcsEvent<unknown> };
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

export interface VcsEvent<T> {
  addEventListener(listener: (value: T) => void): () => void;
}

interface Layers extends Iterable<Layer> {
  readonly stateChanged: VcsEvent<Layer>;
  readonly added: VcsEvent<Layer>;
  readonly removed: VcsEvent<Layer>;
}

interface Interaction {
  setActive(): void;
}

interface Maps {
  readonly activeMap: VcsMap | null | undefined;
  readonly mapActivated: VcsEvent<VcsMap>;
  readonly eventHandler: { addPersistentInteraction(interaction: Interaction): void };
  hasKey(name: string): boolean;
  setActiveMap(name: string): Promise<void>;
}

export interface PreviewApp {
  readonly maps: Maps;
  readonly layers: Layers;
  /** Engine 5 only: once rejected, all later modules fail. */
  _moduleMutationPromise?: Promise<void>;
  addModule(module: object): Promise<void>;
  removeModule(id: string): Promise<void>;
}

export interface InteractionEvent {
  readonly feature?: object;
}

/** The part of the engine's core.js that is used. */
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
