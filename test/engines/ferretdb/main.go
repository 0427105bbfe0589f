// Serves an empty database in a folder on the given port until the process ends.
package main

import (
	"context"
	"log"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/FerretDB/FerretDB/ferretdb"
)

func main() {
	port, folder := os.Args[1], os.Args[2]
	options := &slog.HandlerOptions{Level: slog.LevelError}
	server, err := ferretdb.New(&ferretdb.Config{
		Listener:  ferretdb.ListenerConfig{TCP: "127.0.0.1:" + port},
		Handler:   "sqlite",
		SQLiteURL: "file:" + folder + "/",
		Logger:    slog.New(slog.NewTextHandler(os.Stderr, options)),
	})
	if err != nil {
		log.Fatal(err)
	}
	ended, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	if err := server.Run(ended); err != nil {
		log.Fatal(err)
	}
}
