import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import java.util.List;

/** Serves an empty database in memory on the port that is given, until it is ended. */
class Serve {
    /** It answers as a 5.0; the number that it gives itself by default is too old for the driver. */
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
