import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { join, posix } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';

export interface FtpServer {
  readonly port: number;
  stop(): Promise<void>;
}

/**
 * As much of an FTP server as RFC 959 and 2428 ask of one, on a folder: for want of a real one that can be had without a
 * daemon. It knows one user, and no TLS.
 */
export async function startFtpServer(
  folder: string,
  login: { user: string; password: string },
): Promise<FtpServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    void serve(socket, folder, login).catch(() => socket.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

async function serve(
  socket: Socket,
  folder: string,
  login: { user: string; password: string },
): Promise<void> {
  const say = (text: string) => void socket.write(`${text}\r\n`);
  let here = '/';
  let user = '';
  let isIn = false;
  let from = '';
  let passive: Server | undefined;
  let coming: Promise<unknown[]> | undefined;
  const at = (path: string) => posix.resolve(here, path);
  const onDisk = (path: string) => join(folder, at(path));
  const transfer = async (work: (data: Socket) => Promise<void>) => {
    const [data] = (await coming!) as [Socket];
    say('150 Here it comes');
    await work(data);
    passive?.close();
    say('226 Done');
  };
  const connected = (): Promise<void> => new Promise((go) => setImmediate(go));
  const commands: Readonly<Record<string, (path: string) => Promise<void> | void>> = {
    PASS: (text) => {
      isIn = user === login.user && text === login.password;
      say(isIn ? '230 Welcome' : '530 Login incorrect');
    },
    PWD: () => say(`257 "${here}"`),
    TYPE: () => say('200 Yes'),
    async EPSV() {
      passive = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
      passive.unref().on('connection', (data: Socket) => data.unref().on('error', () => {}));
      coming = once(passive, 'connection'); // clients connect before they say what for
      if (!passive.listening) await once(passive, 'listening');
      say(`229 Entering (|||${(passive.address() as AddressInfo).port}|)`);
    },
    async CWD(path) {
      if (!(await stat(onDisk(path))).isDirectory()) throw new Error('no folder');
      here = at(path);
      say('250 There');
    },
    async SIZE(path) {
      say(`213 ${(await stat(onDisk(path))).size}`);
    },
    async MKD(path) {
      await mkdir(onDisk(path));
      say('257 Made');
    },
    async RMD(path) {
      await rmdir(onDisk(path));
      say('250 Gone');
    },
    async DELE(path) {
      await rm(onDisk(path));
      say('250 Gone');
    },
    async RNFR(path) {
      await stat(onDisk(path));
      from = onDisk(path);
      say('350 To where?');
    },
    async RNTO(path) {
      await rename(from, onDisk(path));
      say('250 Renamed');
    },
    async MLSD() {
      const names = await readdir(folder + here, { withFileTypes: true });
      const lines = await Promise.all(
        names.map(async (entry) => {
          const { size } = await stat(join(folder, here, entry.name));
          return `type=${entry.isDirectory() ? 'dir' : 'file'};size=${size}; ${entry.name}\r\n`;
        }),
      );
      await transfer(async (data) => {
        data.end(lines.join(''));
        await once(data, 'close');
      });
    },
    RETR: (path) => transfer((data) => pipeline(createReadStream(onDisk(path)), data)),
    STOR: (path) => transfer((data) => pipeline(data, createWriteStream(onDisk(path)))),
  };
  say('220 A server for tests');
  for await (const line of createInterface({ input: socket })) {
    const [, name = '', rest = ''] = /^(\S+) ?(.*)$/s.exec(line) ?? [];
    await connected();
    if (name === 'USER') {
      user = rest;
      say('331 And the password?');
    } else if (name === 'FEAT') say('211-Features\r\n MLST type*;size*;\r\n EPSV\r\n UTF8\r\n211 End');
    else if (!isIn && name !== 'PASS') say('530 Log in first');
    else if (!Object.hasOwn(commands, name)) say('502 Unknown');
    else {
      try {
        await commands[name]!(rest);
      } catch {
        say('550 No');
      }
    }
  }
}
