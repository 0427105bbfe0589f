import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import java.util.List;

/** Serves an empty database in memory on the given port until the process ends. */
class Serve {
    /** Reports version 5.0, because the default version is too old for the driver. */
    record Version() implements MongoVersion {
        public List<Integer> getVersionArray() {
            return List.of(5, 0, 0);
        }

        public int getWireVersion() {
            return 13;
        }
    }

    public static void main(String[] args) {
        MemoryBackend backend = new MemoryBackend();
        backend.version(new Version());
        new MongoServer(backend).bind("127.0.0.1", Integer.parseInt(args[0]));
    }
}
