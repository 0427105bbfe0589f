import type { StartConfig } from '../../../platform/config/start.ts';
import { freePort, isPortFree } from '../ports.ts';
import { StartProblem } from '../start-problem.ts';

interface PortRequest {
  variable: string;
  port: number;
  host: string;
}

/**
 * The environment with a real port for each that is 0. Throws a StartProblem that names the port
 * and the variable of the first that is taken: better one clear line now than a process that ends
 * again and again.
 */
export async function settlePorts(config: StartConfig, env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const settled: NodeJS.ProcessEnv = { ...env };
  for (const { variable, port, host } of wantedPorts(config)) {
    if (port === 0) settled[variable] = String(await freePort());
    else if (!(await canListen(port, host))) {
      throw new StartProblem(
        `Port ${port} (${variable}) is taken by another program; stop that, or set another ${variable}.`,
      );
    }
  }
  return settled;
}

function wantedPorts(config: StartConfig): PortRequest[] {
  const api = { variable: 'PORT', port: config.port, host: config.host };
  if (config.temporal !== undefined) return [api];
  return [
    api,
    { variable: 'TEMPORAL_PORT', port: config.temporalPort, host: '127.0.0.1' },
    { variable: 'TEMPORAL_UI_PORT', port: config.temporalUiPort, host: '127.0.0.1' },
  ];
}

async function canListen(port: number, host: string): Promise<boolean> {
  try {
    return await isPortFree(port, host);
  } catch (error) {
    throw new StartProblem(`Nothing can listen on port ${port} of HOST: ${(error as Error).message}`);
  }
}
